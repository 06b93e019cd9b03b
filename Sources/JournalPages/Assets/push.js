// Reminders on this device: subscribes the browser to push messages, and sends the subscription with the form.
"use strict";

const push = document.getElementById("push");
// Browsers offer this only over HTTPS, and on the machine itself.
if (push && isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  push.hidden = false;
  push.querySelector("form").addEventListener("submit", subscribe);
}

async function subscribe(event) {
  const form = event.target;
  // The browser asks the person, and must do so at a tap.
  event.preventDefault();
  const note = push.querySelector("[role=status]");
  note.textContent = "";
  try {
    if (await Notification.requestPermission() !== "granted") {
      note.textContent = push.dataset.denied;
      return;
    }
    await navigator.serviceWorker.register("/worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: push.dataset.key };
    // A subscription for the key of another journal at this address cannot be used.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
    const { endpoint, keys } = subscription.toJSON();
    form.elements.address.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  } catch {
    note.textContent = push.dataset.failed;
  }
}
