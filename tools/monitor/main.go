// Command monitor verifies the published log of a journal as a stranger does: with nothing but its address and its
// verifier key, and with the transparency log packages of the Go checksum database, which share no code with the journal.
//
//	monitor -key 'healthjournal/…+…+…' [-state FILE] [-leaves N] URL
//	monitor -key 'healthjournal/…+…+…' -proof FILE
//
// It checks the signature of the checkpoint, that the tiles give its root, that leaves chosen at random are in it, and that
// it extends the checkpoint in FILE, which it then replaces. With -proof, it checks that the log had the event whose hash a
// proof names (c2sp.org/tlog-proof). Exit status 1: one of these does not hold.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tiles reads tiles below an address, and counts them.
type tiles struct {
	url   string
	token string
	reads int
}

func (t *tiles) Height() int { return 8 }

func (t *tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		// The height is part of the path in the checksum database, but not in c2sp.org/tlog-tiles.
		bytes, err := t.get(strings.Replace(tile.Path(), "tile/8/", "tile/", 1))
		if err != nil {
			return nil, err
		}
		t.reads++
		all = append(all, bytes)
	}
	return all, nil
}

func (t *tiles) get(path string) ([]byte, error) {
	request, err := http.NewRequest("GET", t.url+"/"+path, nil)
	if err != nil {
		return nil, err
	}
	if t.token != "" {
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 1<<20))
}

// open returns the tree of a signed checkpoint.
func open(text []byte, verifier note.Verifier) (tlog.Tree, error) {
	signed, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(signed.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, errors.New("the checkpoint is of another log")
	}
	var tree tlog.Tree
	if _, err := fmt.Sscanf(lines[1], "%d", &tree.N); err != nil {
		return tlog.Tree{}, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

func check(url, key, state string, leaves int) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	source := &tiles{url: strings.TrimSuffix(url, "/"), token: os.Getenv("HEALTHJOURNAL_TOKEN")}
	text, err := source.get("checkpoint")
	if err != nil {
		return err
	}
	tree, err := open(text, verifier)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	reader := tlog.TileHashReader(tree, source)
	root, err := tlog.TreeHash(tree.N, reader)
	if err != nil {
		return fmt.Errorf("root: %w", err)
	}
	if root != tree.Hash {
		return errors.New("root: the tiles give another root than the checkpoint")
	}
	for i := 0; i < leaves && tree.N > 0; i++ {
		leaf := rand.Int63n(tree.N)
		hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, leaf)})
		if err != nil {
			return fmt.Errorf("leaf %d: %w", leaf, err)
		}
		proof, err := tlog.ProveRecord(tree.N, leaf, reader)
		if err != nil {
			return fmt.Errorf("leaf %d: %w", leaf, err)
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, leaf, hashes[0]); err != nil {
			return fmt.Errorf("leaf %d: %w", leaf, err)
		}
	}
	extends := ""
	if state != "" {
		old, err := os.ReadFile(state)
		if err == nil {
			before, err := open(old, verifier)
			if err != nil {
				return fmt.Errorf("%s: %w", state, err)
			}
			if before.N > tree.N {
				return fmt.Errorf("the log has %d events, and had %d", tree.N, before.N)
			}
			if before.N > 0 {
				proof, err := tlog.ProveTree(tree.N, before.N, reader)
				if err != nil {
					return fmt.Errorf("consistency: %w", err)
				}
				if err := tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash); err != nil {
					return fmt.Errorf("the log does not extend what it was with %d events: %w", before.N, err)
				}
			}
			extends = fmt.Sprintf(", extends %d", before.N)
		} else if !os.IsNotExist(err) {
			return err
		}
		if err := os.WriteFile(state, text, 0o600); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d events, %d leaves checked%s, %d tiles read\n", verifier.Name(), tree.N, leaves, extends, source.reads)
	return nil
}

// checkProof checks a proof against the hash of the event that it names.
func checkProof(file, key string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, signed, found := strings.Cut(string(text), "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "extra ") {
		return errors.New("not a proof that names the hash of an event")
	}
	event, err := tlog.ParseHash(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	var index int64
	if _, err := fmt.Sscanf(lines[2], "index %d", &index); err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	tree, err := open([]byte(signed), verifier)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, event); err != nil {
		return err
	}
	fmt.Printf("%s: event %d of %d\n", verifier.Name(), index+1, tree.N)
	return nil
}

func main() {
	log.SetFlags(0)
	rand.Seed(time.Now().UnixNano())
	key := flag.String("key", "", "the verifier key of the log, from a source that you trust")
	state := flag.String("state", "", "a file with the checkpoint of the last run; it is written")
	leaves := flag.Int("leaves", 5, "how many leaves to check")
	proof := flag.String("proof", "", "a file with a proof to check instead")
	flag.Parse()
	if *key == "" || (flag.NArg() == 1) == (*proof != "") {
		log.Fatal("usage: monitor -key KEY [-state FILE] [-leaves N] URL | monitor -key KEY -proof FILE")
	}
	if *proof != "" {
		if err := checkProof(*proof, *key); err != nil {
			log.Fatalf("monitor: %v", err)
		}
		return
	}
	if err := check(flag.Arg(0), *key, *state, *leaves); err != nil {
		log.Fatalf("monitor: %v", err)
	}
}
