// What is chosen, in words with its numbers, at the bottom of the screen wherever one is.
function pickInWords() {
  const range = stretchesOf(view.time);
  const {pick} = view;
  if (!pick) return "";
  if (pick.message !== undefined) return messageInWords(messageList[pick.message]);
  return pick.line !== undefined ? lineInWords(pick.line, range) : nodeInWords(pick.cell, range);
}

/// How the time that pictures show differs from the one that is chosen.
function timeShownInWords() {
  const shown = cyclesOf(stretchesOf(view.time));
  const same = !view.time || view.time.join() === shown.join();
  return "Shown: " + timeInWords(view.time) +
    (same ? "" : "; channels by stretches of " + counted(data.trial.every, "cycle") + ", " +
      timeInWords(shown)) + ".";
}

function makeSelection() {
  const bar = document.createElement("aside");
  bar.id = "selection";
  bar.setAttribute("aria-label", "what is chosen");
  document.querySelector("main").after(bar);
  const words = add(bar, "div", "", {class: "details", "aria-live": "polite", tabindex: 0});
  const controls = add(bar, "div", "", {class: "controls"});
  const time = add(controls, "span", "", {class: "quiet"});
  // Nothing is chosen: the bar takes no room.
  addButton(controls, "choose nothing", () => setView({pick: null}));
  const its_time = addButton(controls, "show its time", () => setView({time: timeOfMessage(view.pick.message)}));
  addCopyButton(controls, "copy the address of this view",
                () => location.href.split("#")[0] + addressOf());
  view.listeners.push(() => {
    words.textContent = pickInWords();
    markNames(words);
    its_time.hidden = !isPickOutside();
    time.textContent = timeShownInWords() + (isPickOutside() ? " The message that is chosen is not under way then." : "");
    bar.hidden = !view.pick;
    document.documentElement.classList.toggle("has-choice", view.pick !== null);
  });
}
