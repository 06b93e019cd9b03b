// Keeps the doses of the next days on this device, if the person asked for it, and keeps what is logged without a
// connection until it can be sent. Nothing is kept before. The kept pages are removed when the session ends: when a page
// or an answer of the service says so, and otherwise when the session would have expired. Shows reminders, if the person
// asked for them on this device.
"use strict";

const CACHE = "today";
const DAYS_KEPT = 14;
const MOST_TAPS = 1000;
// How far the clock of a device may be set back while pages are kept.
const CLOCK_STEP = 60000;
const TODAY = /^(\/records\/[0-9a-f-]{36})\/today(\/undo)?$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const record = pathname.match(TODAY);
  if (record && request.method === "POST" && request.mode === "navigate") {
    event.respondWith(log(request, record[1]));
  } else if (record && request.method === "GET" && request.mode === "navigate") {
    event.respondWith(show(request, record[1]));
  } else if (request.method === "GET" && pathname.startsWith("/assets/")) {
    // The address of an asset changes with its content.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});

// Fetches the page of a day, or shows the kept one if there is no connection. A record that this session may not read is
// removed from the device.
async function show(request, record) {
  try {
    const page = await fetch(request);
    await learn(page, record);
    return page;
  } catch (error) {
    const page = await keptPage(record);
    if (!page) throw error;
    return page;
  }
}

// Learns from an answer whether the session goes on, and whether it may read the record.
async function learn(answer, record) {
  const seconds = answer.headers.get("session-seconds");
  if (seconds !== null) await goesOn(Number(seconds));
  // These pages redirect only to the sign-in page.
  else if (answer.type === "opaqueredirect") await purge();
  if ([403, 404, 410].includes(answer.status)) await (await caches.open(CACHE)).delete(addressOf(record));
}

// Sends a form, or keeps it on this device if there is no connection.
async function log(request, record) {
  const fields = new URLSearchParams(await request.text());
  // If only the answer is lost, the service recognizes the form by its key when it is sent again.
  fields.set("key", crypto.randomUUID());
  const address = new URL(request.url).pathname;
  try {
    return await fetch(address, {
      method: "POST", body: fields, redirect: "manual", headers: { Accept: "text/html" },
    });
  } catch (error) {
    const page = await keptPage(record);
    if (!page) throw error;
    const account = (await page.text()).match(/data-account="([^"]*)"/)?.[1];
    fields.set("tapped", new Date().toISOString());
    fields.set("offline", "true");
    const waiting = await taps();
    if (!account || waiting.length >= MOST_TAPS) throw error;
    await change((store) => store.add({
      account, record, address, fields: fields.toString(), at: Date.now(), isRefused: false,
    }));
    return Response.redirect(`${record}/today`, 303);
  }
}

// MARK: Kept pages

const addressOf = (record) => `${record}/today/ahead`;
const endOf = (page) => new Date(page.headers.get("date")).getTime() + DAYS_KEPT * 86400000;

async function keptPage(record) {
  if (!(await session())) return undefined;
  const cache = await caches.open(CACHE);
  const page = await cache.match(addressOf(record));
  if (page && endOf(page) < Date.now()) {
    await cache.delete(addressOf(record));
    return undefined;
  }
  return page;
}

// Fetches the page of the next days; a record that may not be read any more is removed from this device.
async function keep(record) {
  const cache = await caches.open(CACHE);
  const page = await fetch(addressOf(record), { redirect: "manual", headers: { Accept: "text/html" } });
  await learn(page, record);
  const text = await page.clone().text();
  const account = text.match(/data-account="([^"]*)"/)?.[1];
  const seconds = page.headers.get("session-seconds");
  if (!page.ok || seconds === null || !account) return;
  await goesOn(Number(seconds), account);
  const assets = new Set([...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]));
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/assets/") && !assets.has(pathname)) await cache.delete(request);
  }
  for (const asset of assets) if (!(await cache.match(asset))) await cache.add(asset);
  await cache.put(addressOf(record), page);
}

// MARK: The session

// Returns the session whose pages are kept. Without one, or after its end, nothing is kept. A clock that was set back does
// not tell whether the session is over, so it counts as over.
async function session() {
  const found = await all("session").catch(() => []);
  const known = found[0];
  const now = Date.now();
  if (known && now < known.ends && now >= known.seen - CLOCK_STEP) {
    if (now > known.seen) await change((store) => store.put({ ...known, seen: now }), "session");
    return known;
  }
  await purge();
  return undefined;
}

// Takes note that the service still accepts the session, for some seconds from now. Pages of another account are removed.
async function goesOn(seconds, account) {
  const [known] = await all("session");
  if (!known && !account) return;
  if (known && account && known.account !== account) await purge();
  const now = Date.now();
  const next = { key: "session", account: account ?? known.account, ends: now + seconds * 1000, seen: now };
  await change((store) => store.put(next), "session");
}

// Removes everything that is kept to be read. What waits to be sent stays; it contains no names.
async function purge() {
  await caches.delete(CACHE);
  await change((store) => store.clear(), "session").catch(() => {});
}

// MARK: Waiting taps

function database() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("outbox", 2);
    opening.onupgradeneeded = () => {
      const { result } = opening;
      if (!result.objectStoreNames.contains("taps")) {
        result.createObjectStore("taps", { keyPath: "id", autoIncrement: true });
      }
      result.createObjectStore("session", { keyPath: "key" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

// Returns when the change is durable.
async function change(edit, name = "taps") {
  const opened = await database();
  await new Promise((resolve, reject) => {
    const transaction = opened.transaction(name, "readwrite", { durability: "strict" });
    transaction.oncomplete = resolve;
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    edit(transaction.objectStore(name));
  });
  opened.close();
}

const taps = () => all("taps");

async function all(name) {
  const opened = await database();
  const found = await new Promise((resolve, reject) => {
    const all = opened.transaction(name).objectStore(name).getAll();
    all.onsuccess = () => resolve(all.result);
    all.onerror = () => reject(all.error);
  });
  opened.close();
  return found;
}

// Sends the waiting taps of an account in their order. The service records a tap that is sent twice once.
async function send(account, formToken, isFresh) {
  let sent = 0;
  for (const tap of await taps()) {
    if (tap.account !== account || tap.isRefused) continue;
    const fields = new URLSearchParams(tap.fields);
    fields.set("formToken", formToken);
    let answer;
    try {
      answer = await fetch(tap.address, { method: "POST", body: fields, redirect: "manual" });
    } catch {
      break;
    }
    if (answer.type === "opaqueredirect") {
      await purge();
      break;
    }
    if (answer.status === 204) {
      await change((store) => store.delete(tap.id));
      sent += 1;
    } else if (answer.status === 403 && !isFresh) {
      // The form token of a kept page may be that of an earlier session.
      break;
    } else if ([400, 403, 404, 409, 410].includes(answer.status)) {
      await change((store) => store.put({ ...tap, isRefused: true }));
    } else {
      break;
    }
  }
  return sent;
}

// MARK: Questions of pages

// One at a time, so that no tap is sent twice at once. Whatever starts this worker, the pages of a session that is over
// are removed first.
let last = session().catch(() => {});

self.addEventListener("message", (event) => {
  const { question, record, account, formToken, isFresh, id, seconds } = event.data;
  const answer = async () => {
    switch (question) {
      case "keep": await keep(record); break;
      case "forget": await (await caches.open(CACHE)).delete(addressOf(record)); break;
      case "discard": await change((store) => store.delete(id)); break;
      case "send": return { sent: await send(account, formToken, isFresh) };
      case "goes on": if ((await all("session")).length) await goesOn(seconds, account); break;
      case "ended": await purge(); break;
    }
    if (!record) return { ends: (await session())?.ends ?? null };
    const page = await keptPage(record);
    const ends = (await session())?.ends;
    const waiting = (await taps()).filter((tap) => tap.account === account && tap.record === record);
    return {
      until: page ? Math.min(endOf(page), ends) : null,
      fetched: page ? new Date(page.headers.get("date")).getTime() : null,
      taps: waiting,
    };
  };
  last = last.then(answer).catch(() => ({ failed: true })).then((result) => event.ports[0]?.postMessage(result));
  event.waitUntil(last);
});

// MARK: Reminders

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // A browser must show each message, also one that cannot be read.
  }
  const { title, text, path, tag } = message;
  event.waitUntil(self.registration.showNotification(title ?? "Health journal", {
    body: text ?? "", tag: tag ?? "", renotify: Boolean(tag), data: { path },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

// Shows a page of this service, in a window that shows it already if there is one.
async function open(path) {
  const address = new URL(path ?? "/", self.location.origin);
  if (address.origin !== self.location.origin) return;
  for (const client of await self.clients.matchAll({ type: "window" })) {
    if (new URL(client.url).pathname === address.pathname) return client.focus();
  }
  await self.clients.openWindow(address);
}
