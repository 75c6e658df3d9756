// @ts-nocheck: it runs in browsers, whose types the rest of the project must not see.
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-return */
/**
 * Updates the page of waiting calls live. Without it everything works by reloading the page. It never
 * builds markup from data: it fetches the page and adds the new cards.
 */

const queue = document.querySelector('[data-live]');
const title = document.title;
const startedAt = Date.now();
const SOUND = 'plimsoll-sound';
let audio;
let isBusy = false;
let isStale = false;
/** For the result of a call that was approved; it is looked for once a second. */
const MOST_LOOKS = 300;
const NOT_LIVE = 'Live updates have stopped. Reload the page to see waiting calls.';

countDown();
showTimes(document);
offerSound();
if (queue !== null) {
  showCount(queue.querySelectorAll('.card').length);
  listen();
  awaitResult(MOST_LOOKS);
  document.addEventListener('keydown', move);
}
document.addEventListener('submit', once);
document.addEventListener('click', ignoreSecond, true);

/** A browser has few connections per host: hidden tabs poll instead. */
function listen() {
  let stop = () => {};
  const choose = () => {
    stop();
    stop = document.hidden ? poll() : stream();
  };
  document.addEventListener('visibilitychange', choose);
  choose();
}

function poll() {
  const timer = window.setInterval(refresh, 5000);
  return () => window.clearInterval(timer);
}

function stream() {
  let version;
  const events = new EventSource('/api/events');
  events.addEventListener('approvals', ({ data }) => {
    const state = JSON.parse(data);
    if (state.version === version) return;
    version = state.version;
    void refresh();
  });
  // The browser reconnects automatically, unless it was refused.
  events.addEventListener('error', () => say(NOT_LIVE));
  events.addEventListener('open', () => say(''));
  return () => events.close();
}

async function refresh() {
  isStale = true;
  if (isBusy) return;
  isBusy = true;
  while (isStale) {
    isStale = false;
    const response = await fetch(window.location.href, { headers: { accept: 'text/html' } }).catch(
      () => undefined,
    );
    if (response?.ok) take(new DOMParser().parseFromString(await response.text(), 'text/html'));
  }
  isBusy = false;
}

/** Where a new card goes: among those like it, if they are folded. */
function homeOf(card) {
  const fold = card.closest('.alike');
  if (fold === null) return queue;
  const summary = document.importNode(fold.querySelector('summary'), true);
  const same = [...queue.querySelectorAll('.alike')].find(
    ({ dataset }) => dataset.alike === fold.dataset.alike,
  );
  if (same !== undefined) {
    same.querySelector('summary').replaceWith(summary);
    return same;
  }
  const made = document.importNode(fold, false);
  made.append(summary);
  queue.append(made);
  return made;
}

/** Cards that stay are not touched, nor is what is typed in them; the others are removed, unless in use. */
function take(fresh) {
  const cards = [...fresh.querySelectorAll('.card')];
  const ids = new Set(cards.map(({ id }) => id));
  for (const card of queue.querySelectorAll('.card')) if (!ids.has(card.id)) leave(card);
  let isNew = false;
  for (const card of cards) {
    if (document.getElementById(card.id) !== null) continue;
    const added = document.importNode(card, true);
    added.dataset.new = '';
    added.dataset.at = String(Date.now());
    showTimes(added);
    homeOf(card).append(added);
    isNew = true;
  }
  if (isNew) ring();
  for (const fold of queue.querySelectorAll('.alike')) {
    if (fold.querySelector('.card') === null) fold.remove();
  }
  const answered = fresh.getElementById('answered');
  if (answered !== null) {
    const now = document.importNode(answered, true);
    showTimes(now);
    const before = document.getElementById('answered');
    if (before !== null && before.textContent !== now.textContent) before.replaceWith(now);
  }
  const count = fresh.getElementById('count');
  if (count !== null)
    document.getElementById('count')?.replaceWith(document.importNode(count, true));
  const nothing = document.getElementById('nothing');
  if (nothing !== null) nothing.hidden = queue.querySelector('.card') !== null;
  showCount(cards.length);
}

/** The queue does not change when a call ends, so its result is looked for. */
function awaitResult(looks) {
  if (looks === 0 || document.querySelector('#answered[data-coming]') === null) return;
  window.setTimeout(async () => {
    if (!document.hidden) await refresh();
    awaitResult(looks - 1);
  }, 1000);
}

/** In the zone of the reader, in the same form. */
function showTimes(root) {
  for (const element of root.querySelectorAll('time[datetime]')) {
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
      .formatToParts(time)
      .find(({ type }) => type === 'timeZoneName');
    const two = (number) => String(number).padStart(2, '0');
    const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
    const hour = [two(time.getHours()), two(time.getMinutes()), two(time.getSeconds())].join(':');
    element.title = element.dateTime;
    element.textContent = `${day} ${hour} ${zone?.value ?? ''}`.trim();
  }
}

/** A tab in the background shows by its title that somebody waits. */
function showCount(count) {
  document.title = count === 0 ? title : `(${count}) ${title}`;
}

/** Off until somebody wants it: browsers play nothing before a click. */
function offerSound() {
  const box = document.getElementById('sound');
  if (box === null || window.AudioContext === undefined) return;
  box.closest('label').hidden = false;
  box.checked = window.localStorage.getItem(SOUND) === 'on';
  box.addEventListener('change', () => {
    window.localStorage.setItem(SOUND, box.checked ? 'on' : 'off');
    ring();
  });
}

function ring() {
  if (window.localStorage.getItem(SOUND) !== 'on') return;
  audio ??= new window.AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

function leave(card) {
  const typed = [...card.querySelectorAll('input[name=reason]')].some(({ value }) => value !== '');
  if (!typed && !card.contains(document.activeElement)) return card.remove();
  if (card.dataset.gone !== undefined) return undefined;
  card.dataset.gone = '';
  for (const button of card.querySelectorAll('button')) button.disabled = true;
  const note = document.createElement('p');
  note.className = 'notice';
  note.setAttribute('role', 'status');
  note.textContent = 'Answered elsewhere, or expired. It can no longer be answered here.';
  card.querySelector('.answers')?.before(note);
  return undefined;
}

/** Based on the time left that the server sent, so that this machine's clock does not matter. */
function countDown() {
  for (const element of document.querySelectorAll('[data-left]')) {
    const since = Number(element.closest('.card')?.dataset.at ?? startedAt);
    const left = Math.max(
      0,
      Number(element.dataset.left) - Math.floor((Date.now() - since) / 1000),
    );
    const minutes = Math.floor(left / 60);
    element.textContent =
      left === 0 ? 'expired' : `${minutes === 0 ? '' : `${minutes} min `}${left % 60} s left`;
  }
  window.setTimeout(countDown, 1000);
}

/** j and k move from card to card; a and r only focus an answer, which Enter then submits. */
function move(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest('input, select, textarea') !== null) return;
  const cards = [...queue.querySelectorAll('.card')];
  const here = cards.indexOf(document.activeElement?.closest('.card'));
  if (event.key === 'j') cards[Math.min(here + 1, cards.length - 1)]?.focus();
  else if (event.key === 'k') cards[Math.max(here - 1, 0)]?.focus();
  else if (event.key === 'a') cards[here]?.querySelector('button.yes')?.focus();
  else if (event.key === 'r') cards[here]?.querySelector('input[name=reason]')?.focus();
  else return;
  event.preventDefault();
}

function once(event) {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent !== undefined) event.preventDefault();
  form.dataset.sent = '';
  // After going back in the history, the form may be sent again; the server detects duplicates.
  window.addEventListener('pageshow', () => delete form.dataset.sent, { once: true });
}

/** The second click of a double click may land on a card that has just moved under the pointer. */
function ignoreSecond(event) {
  if (event.detail > 1 && event.target.closest('.answers button') !== null) event.preventDefault();
}

function say(text) {
  let line = document.getElementById('line');
  if (line === null) {
    if (text === '') return;
    line = document.createElement('p');
    line.id = 'line';
    line.className = 'hint';
    line.setAttribute('role', 'status');
    queue.before(line);
  }
  line.textContent = text;
}
