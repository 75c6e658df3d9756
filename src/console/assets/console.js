// @ts-nocheck: it runs in browsers, whose types the rest of the project must not see.
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-return */
/**
 * Makes the page of waiting calls live. Without it everything works by loading the page again. It never
 * builds markup from data: it asks the server for the page and takes over the cards that are new.
 */

const queue = document.querySelector('[data-live]');
const title = document.title;
const startedAt = Date.now();
const NOT_LIVE = 'Not live now. Load the page again to see what waits.';

countDown();
if (queue !== null) {
  listen();
  document.addEventListener('keydown', move);
}
document.addEventListener('submit', once);
document.addEventListener('click', ignoreSecond, true);

/** A browser has few connections to one host: tabs that nobody sees look now and then instead. */
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
  // The browser tries again by itself, unless it was told no.
  events.addEventListener('error', () => say(NOT_LIVE));
  events.addEventListener('open', () => say(''));
  return () => events.close();
}

let isBusy = false;
let isStale = false;

async function refresh() {
  isStale = true;
  if (isBusy) return;
  isBusy = true;
  while (isStale) {
    isStale = false;
    const response = await fetch('/', { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (response?.ok) take(new DOMParser().parseFromString(await response.text(), 'text/html'));
  }
  isBusy = false;
}

/** Cards that stay are left alone, with what is typed in them; those that are gone go, unless in use. */
function take(fresh) {
  const cards = [...fresh.querySelectorAll('.card')];
  const ids = new Set(cards.map(({ id }) => id));
  for (const card of queue.querySelectorAll('.card')) if (!ids.has(card.id)) leave(card);
  for (const card of cards) {
    if (document.getElementById(card.id) !== null) continue;
    const added = document.importNode(card, true);
    added.dataset.new = '';
    added.dataset.at = String(Date.now());
    queue.append(added);
  }
  const count = fresh.getElementById('count');
  if (count !== null)
    document.getElementById('count')?.replaceWith(document.importNode(count, true));
  const nothing = document.getElementById('nothing');
  if (nothing !== null) nothing.hidden = queue.querySelector('.card') !== null;
  document.title = cards.length === 0 ? title : `(${cards.length}) ${title}`;
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
  note.textContent = 'Answered elsewhere, or too late. Your answer would no longer count.';
  card.querySelector('.answers')?.before(note);
  return undefined;
}

/** By what the server said was left, so that the clock of this machine does not matter. */
function countDown() {
  for (const element of document.querySelectorAll('[data-left]')) {
    const since = Number(element.closest('.card')?.dataset.at ?? startedAt);
    const left = Math.max(
      0,
      Number(element.dataset.left) - Math.floor((Date.now() - since) / 1000),
    );
    const minutes = Math.floor(left / 60);
    element.textContent =
      left === 0 ? 'too late' : `${minutes === 0 ? '' : `${minutes} min `}${left % 60} s left`;
  }
  window.setTimeout(countDown, 1000);
}

/** j and k go from card to card; a and r only put the focus on an answer, which Enter then gives. */
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
  // Back in the history, the form may be sent anew; the server knows what it has.
  window.addEventListener('pageshow', () => delete form.dataset.sent, { once: true });
}

/** The second click of a double click may land on what has just moved under the pointer. */
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
