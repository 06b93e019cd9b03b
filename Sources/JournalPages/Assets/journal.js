// Makes some things quicker. Every page does its work without it.
"use strict";

// The slider tells its day while it is moved, and shows it when it is let go.
const slider = document.querySelector("#slide input[type=range]");
if (slider) {
  const shown = document.getElementById("shown-day");
  const format = new Intl.DateTimeFormat(slider.dataset.locale, { dateStyle: "medium", timeZone: "UTC" });
  const tell = () => {
    const day = format.format(new Date(Number(slider.value) * 86400000));
    shown.textContent = day;
    slider.setAttribute("aria-valuetext", day);
  };
  slider.addEventListener("input", tell);
  // By the keyboard, each step is a change: there, Enter shows the day.
  slider.addEventListener("pointerup", () => slider.form.requestSubmit());
}

// A code comes behind the # of a scanned address, which no server is told.
const code = document.querySelector("input[data-from-address]");
if (code && location.hash.startsWith("#code=")) {
  // The characters of a code need no encoding; what has some is none.
  code.value = location.hash.slice(6);
  history.replaceState(null, "", location.pathname);
}

// Whoever has to sign in first finds the code again behind it.
for (const form of document.querySelectorAll("form[action='/sign-in']")) {
  if (location.hash.startsWith("#code=")) form.action += location.hash;
}

// What is recorded from now on, as it comes.
const follow = document.getElementById("follow");
if (follow) {
  follow.hidden = false;
  follow.addEventListener("click", () => {
    follow.hidden = true;
    const status = document.getElementById("following");
    status.textContent = status.dataset.told;
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

// One press, one entry.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
