// Switches highlighting without a request; the choice is kept in a cookie.

const form = document.querySelector("form.shading");

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  const wanted = button.getAttribute("aria-pressed") !== "true";
  const body = new URLSearchParams(new FormData(form));
  body.set("shading", wanted ? "on" : "off");
  button.setAttribute("aria-pressed", String(wanted));
  document.querySelector(".stage").classList.toggle("unshaded", !wanted);
  fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
});
