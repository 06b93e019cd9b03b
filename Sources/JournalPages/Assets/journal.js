// Optional enhancements; every page works without them.
"use strict";

// The slider shows its day while it is dragged, and loads that day when it is released.
const slider = document.querySelector("#slide input[type=range]");
if (slider) {
  const shown = document.getElementById("shown-day");
  const format = new Intl.DateTimeFormat(slider.dataset.locale, { dateStyle: "medium", timeZone: "UTC" });
  const showDay = () => {
    const day = format.format(new Date(Number(slider.value) * 86400000));
    shown.textContent = day;
    slider.setAttribute("aria-valuetext", day);
  };
  slider.addEventListener("input", showDay);
  // With the keyboard each step is a change event, so there Enter loads the day.
  slider.addEventListener("pointerup", () => slider.form.requestSubmit());
}

// The invitation code is in the fragment of the scanned address, which browsers do not send to the server.
const code = document.querySelector("input[data-from-address]");
if (code && location.hash.startsWith("#code=")) {
  // The characters of a code need no percent-encoding; a text that contains it is not a code.
  code.value = location.hash.slice(6);
  history.replaceState(null, "", location.pathname);
}

// Keeps the code through the sign-in form.
for (const form of document.querySelectorAll("form[action='/sign-in']")) {
  if (location.hash.startsWith("#code=")) form.action += location.hash;
}

// Shows the fields of the chosen option at once, and adds a line to a list without loading the page.
for (const step of document.querySelectorAll("button[name=step]")) {
  const list = step.closest("[data-list]");
  if (list) {
    step.addEventListener("click", (event) => {
      event.preventDefault();
      addLine(list, step);
    });
  } else {
    step.hidden = true;
    document.querySelector(`select[name="${step.value}"]`).addEventListener("change", () => step.form.requestSubmit(step));
  }
}

// The new line is a copy of the last one without its values; only the amount of a dose is usually the same.
function addLine(list, step) {
  const lines = list.querySelectorAll(":scope > .line");
  const [last, index] = [lines[lines.length - 1], lines.length];
  const line = last.cloneNode(true);
  const name = list.dataset.list;
  const renumbered = (text) => text
    .replaceAll(`${name}.${index - 1}.`, `${name}.${index}.`).replaceAll(`field-${name}-${index - 1}-`, `field-${name}-${index}-`);
  for (const found of line.querySelectorAll("p.wrong")) found.remove();
  for (const found of line.querySelectorAll(".wrong")) found.classList.remove("wrong");
  for (const found of line.querySelectorAll("details")) found.open = false;
  line.setAttribute("aria-label", (line.getAttribute("aria-label") ?? "").replace(/[^ ]*$/, index + 1));
  for (const part of line.querySelectorAll("*")) {
    for (const attribute of ["id", "name", "for", "list", "aria-describedby"]) {
      if (part.hasAttribute(attribute)) part.setAttribute(attribute, renumbered(part.getAttribute(attribute)));
    }
    if (part.hasAttribute("aria-invalid")) {
      part.removeAttribute("aria-invalid");
      const described = (part.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => !id.endsWith("-problem"));
      if (described.join("")) part.setAttribute("aria-describedby", described.join(" "));
      else part.removeAttribute("aria-describedby");
    }
    if (part.matches("input, textarea, select") && !part.name.endsWith(".amount")) part.value = "";
  }
  last.after(line);
  line.querySelector("input, select, textarea").focus();
  step.hidden = index + 1 >= Number(list.dataset.most);
}

// A form that was not saved begins with what must be corrected, which is read out and scrolled into view.
document.querySelector("form > .problem[tabindex]")?.focus();

// Asks whether the person is in the browser's time zone, which it never records by itself.
const elsewhere = document.getElementById("elsewhere");
if (elsewhere) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offset = (name) => new Date().toLocaleString("sv", { timeZone: name });
  if (zone && offset(zone) !== offset(elsewhere.dataset.zone)) {
    const link = elsewhere.querySelector("a");
    link.href += "?zone=" + encodeURIComponent(zone);
    link.textContent = elsewhere.dataset.text.replace("…", zone.replaceAll("_", " "));
    elsewhere.hidden = false;
  }
}

// Shows new events as they are recorded.
const follow = document.getElementById("follow");
if (follow) {
  follow.hidden = false;
  follow.addEventListener("click", () => {
    follow.hidden = true;
    const status = document.getElementById("following");
    status.textContent = status.dataset.label;
    const events = new EventSource(follow.dataset.address);
    const show = (message) => {
      const event = JSON.parse(message.data);
      const item = document.createElement("li");
      item.className = "card";
      const title = document.createElement("strong");
      title.textContent = event.type;
      const rest = document.createElement("p");
      rest.className = "dim";
      rest.textContent = event.time + " · " + event.actor.slice(0, 8) + " · " + event.position;
      item.append(title, rest);
      document.getElementById("events").append(item);
    };
    for (const type of follow.dataset.types.split(" ")) events.addEventListener(type, show);
  });
}

// The pages that were kept on this device are removed when the session ends; what waits to be sent stays, without names.
// The service worker removes them; without one, nothing is kept.
if ("serviceWorker" in navigator && "caches" in window) followSession();

function followSession() {
  const { sessionSeconds, account } = document.body.dataset;
  // A kept page tells when its session ended as it was fetched, which may be long ago.
  const isKept = document.querySelector("#offline[data-kept=true]") !== null;
  const ask = async (question) => {
    const worker = (await navigator.serviceWorker.getRegistration())?.active;
    if (!worker) return undefined;
    return new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = (message) => resolve(message.data);
      worker.postMessage({ question, account, seconds: Number(sessionSeconds) }, [channel.port2]);
    });
  };
  const remove = () => { caches.delete("today"); ask("ended"); };
  for (const form of document.querySelectorAll("form[action='/sign-out'], form[action='/sign-in']")) {
    form.addEventListener("submit", remove);
  }
  // Whoever sees the sign-in page without a session has none: it expired, nobody used it, or it was ended elsewhere.
  if (!sessionSeconds && document.querySelector("form[action='/sign-in']")) remove();

  // While a page is open, the kept pages are removed at the moment at which the session expires.
  const check = async (question) => {
    if (!(await caches.has("today"))) return undefined;
    const answer = await ask(question);
    if (answer?.ends === null && isKept) location.reload();
    return answer?.ends;
  };
  const follow = async (question) => {
    const left = (await check(question)) - Date.now();
    setTimeout(() => follow("check"), left > 0 ? Math.min(left + 50, 15000) : 15000);
  };
  follow(sessionSeconds && !isKept ? "goes on" : "check");
  // Timers stand still while a device sleeps.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) check("check"); });
}

// Prevents double submission.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
