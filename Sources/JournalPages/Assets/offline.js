// Doses without a connection: asks the service worker to keep the next days, and shows what waits on this device.
"use strict";

const offline = document.getElementById("offline");
if (offline && "serviceWorker" in navigator && "caches" in window) showOffline();

async function showOffline() {
  const { record, account, locale } = offline.dataset;
  const text = (name, value) => offline.dataset[name].replace("…", value);
  const part = (name) => offline.querySelector(`[data-part=${name}]`);
  const clock = (time) => new Date(time).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });

  const ask = async (question, more = {}) => {
    const worker = (await navigator.serviceWorker.ready).active;
    return new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = (message) => resolve(message.data);
      worker.postMessage({ question, record, account, ...more }, [channel.port2]);
    });
  };

  const show = ({ until, taps, failed }) => {
    if (failed) return;
    part("keep").hidden = until !== null;
    part("forget").hidden = until === null;
    part("until").hidden = until === null;
    part("until").textContent = until && text("until", new Date(until).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }));
    part("waiting").hidden = taps.length === 0;
    if (taps.length) part("waiting").textContent = taps.length + " " + text("waiting", clock(taps[0].at));
    part("refused").replaceChildren(...taps.filter((tap) => tap.isRefused).map(refusal));
    for (const tap of taps) mark(tap);
  };

  // Shows at a dose that it waits on this device.
  const mark = (tap) => {
    const fields = new URLSearchParams(tap.fields);
    for (const dose of fields.getAll("dose")) {
      for (const input of document.querySelectorAll(`.dose input[name=dose]`)) {
        const line = input.closest(".dose");
        // A medication that is taken when needed can be taken again.
        if (input.value !== dose || !dose.includes(" ") || line.querySelector(".waits")) continue;
        const note = document.createElement("p");
        note.className = "detail waits";
        note.textContent = text(fields.get("status"), clock(tap.at));
        line.querySelector(".what").append(note);
        for (const button of line.querySelectorAll("button")) button.disabled = true;
      }
    }
  };

  // A tap that the service did not accept: the person sees what it says, or discards the tap.
  const refusal = (tap) => {
    const item = document.createElement("li");
    const note = document.createElement("span");
    note.textContent = text("refused", clock(tap.at)) + " ";
    const button = (label, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = "small";
      made.textContent = label;
      made.addEventListener("click", act);
      return made;
    };
    item.append(
      note,
      button(offline.dataset.open, () => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = tap.address;
        const fields = new URLSearchParams(tap.fields);
        fields.delete("offline");
        if (!fields.get("at")) fields.set("at", fields.get("tapped") ?? "");
        fields.delete("tapped");
        fields.set("formToken", offline.dataset.formToken);
        for (const [name, value] of fields) {
          const input = document.createElement("input");
          [input.type, input.name, input.value] = ["hidden", name, value];
          form.append(input);
        }
        // The tap stays on the device until the person discards it: the service may not answer.
        document.body.append(form);
        form.submit();
      }),
      " ",
      button(offline.dataset.discard, async () => {
        await ask("discard", { id: tap.id });
        location.reload();
      }),
    );
    return item;
  };

  const send = async () => {
    const { sent } = await ask("send", {
      formToken: offline.dataset.formToken, isFresh: offline.dataset.kept !== "true",
    });
    if (sent) location.reload();
    return sent;
  };

  // A page that was kept shows the days that are not over, by the person's clock and not by that of the device.
  for (const day of document.querySelectorAll("section[data-end]")) day.hidden = Date.parse(day.dataset.end) <= Date.now();

  offline.hidden = false;
  const registered = await navigator.serviceWorker.getRegistration();
  part("keep").addEventListener("click", async () => {
    await navigator.serviceWorker.register("/worker.js");
    show(await ask("keep"));
  });
  part("forget").addEventListener("click", async () => show(await ask("forget")));
  if (!registered) return;
  addEventListener("online", send);
  if (offline.dataset.kept === "true") {
    show(await ask("status"));
    await send();
    return;
  }
  if (await send()) return;
  const status = await ask("status");
  show(status);
  // Each time the pages are fetched is recorded as a read, so not more often than every hour.
  if (status.until && Date.now() - status.fetched > 3600000) show(await ask("keep"));
}
