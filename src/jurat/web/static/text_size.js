// Changes the size of the texts without a request; the choice is kept in a cookie.

const SIZES = ["s", "m", "l", "xl"]; // as the server knows them

const form = document.querySelector("form.text-size");
const [smaller, larger] = form.querySelectorAll("button");
const stage = document.querySelector(".stage");

function use(size) {
  const here = SIZES.indexOf(size);
  stage.dataset.textSize = size;
  smaller.value = SIZES[Math.max(here - 1, 0)];
  larger.value = SIZES[Math.min(here + 1, SIZES.length - 1)];
  document.dispatchEvent(new CustomEvent("jurat:resize"));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  use(event.submitter.value);
  fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
});
