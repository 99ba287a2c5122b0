// Shows how far a translation or a reading is; without this the page loads itself again.
const job = document.querySelector("[data-progress]");
const PAUSE = 1500;

const look = async () => {
  let answer;
  try {
    const response = await fetch(job.dataset.progress, { headers: { Accept: "application/json" } });
    if (!response.ok || response.redirected) throw new Error(response.status);
    answer = await response.json();
  } catch {
    setTimeout(look, 4 * PAUSE); // The service may be back in time.
    return;
  }
  if (!answer.open) {
    location.reload();
    return;
  }
  const bar = job.querySelector("progress");
  bar.max = Math.max(answer.all ?? bar.max, answer.done, 1);
  bar.value = answer.done;
  job.querySelector(".job-text strong").textContent = answer.text;
  setTimeout(look, PAUSE);
};

if (job) setTimeout(look, PAUSE);
