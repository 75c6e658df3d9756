/** "What would happen if": a call that a person enters, judged as the gate would. Nothing is sent. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Mode } from '../../effect/effect.ts';
import { worstTier } from '../../effect/effect.ts';
import { fromShown, showText } from '../../gate/approvals/show-text.ts';
import type { Terms, Verdict } from '../../gate/policy/verdict.ts';
import { own, toRecord } from '../../gate/tools/tool-definition.ts';
import type { ConsoleServices, Env, ServerView } from '../console-services.ts';
import type { Question, WhatIf } from '../data/what-if.ts';
import { whatIf } from '../data/what-if.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { limitWords, selectField, tierTag } from './parts.ts';
import { policyTable } from './policy-section.ts';
import { toolEffect } from './tool-effect.ts';

export function registerWhatIf(app: Hono<Env>, services: ConsoleServices): void {
  const show = (question: Question, csrf: string, answer?: WhatIf): Markup => {
    const servers = services.servers();
    const decisive = answer?.kind === 'verdict' ? answer.verdict.rule : undefined;
    const body =
      servers.length === 0
        ? EMPTY
        : html`${whatIfForm(question, servers, csrf)}
            ${answer === undefined ? '' : toAnswer(answer, servers, question)}
            <section aria-labelledby="policy">
              <h2 id="policy">The rules, in order</h2>
              ${policyTable(services.policy, decisive)}
            </section>`;
    return page({ title: 'What would happen if', active: '/servers', body });
  };

  app.get('/what-if', (c) => c.html(show(toQuestion(c.req.query()), c.get('csrf'))));

  // A POST although nothing changes: arguments do not belong in URLs, which are logged and shown.
  app.post('/what-if', async (c) => {
    const typed = toQuestion(await c.req.parseBody());
    const question = { ...typed, tool: fromShown(typed.tool) };
    const answer = whatIf(services, question);
    const status = answer.kind === 'problem' ? 422 : 200;
    return c.html(show(question, c.get('csrf'), answer), status);
  });
}

function toQuestion(fields: Readonly<Record<string, unknown>>): Question {
  const text = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    server: text('server'),
    tool: text('tool'),
    argumentsText: text('arguments'),
    principal: text('principal'),
    repeated: text('repeated') !== '',
  };
}

function toAnswer(answer: WhatIf, servers: readonly ServerView[], { server }: Question): Markup {
  const mode = servers.find(({ name }) => name === server)?.mode;
  return html`<section aria-labelledby="answer" role="status">
    <h2 id="answer">Then</h2>
    ${
      answer.kind === 'problem'
        ? html`<p><b>${answer.problem.title}.</b> ${showText(answer.problem.detail)}</p>`
        : whatIfVerdict(answer, mode)
    }
  </section>`;
}

const EMPTY: Markup = html`<section class="empty">
  <h2>Nothing to try yet</h2>
  <p>Put a server behind the gate, and you can see here what would happen to a call to it.</p>
  <p><a href="/servers">See how</a></p>
</section>`;

/** The form for a hypothetical call. The name of the tool is shown with every character visible. */
const MOST_NAMES = 300;

function whatIfForm(
  { server, tool, argumentsText, principal, repeated }: Question,
  servers: readonly ServerView[],
  csrf: string,
): Markup {
  const choices = servers.map(({ name }) => ({ value: name, word: showText(name) }));
  const names = new Set(servers.flatMap(({ tools }) => tools.map(nameOf)).map(showText));
  return html`<p>Enter a call. It is judged like a real one, and not sent.</p>
    <form class="what-if" method="post" action="/what-if">
      <input type="hidden" name="csrf" value="${csrf}" />
      ${selectField({ label: 'Server', name: 'server', choices, chosen: server })}
      <label
        >Tool
        <input
          name="tool"
          list="tool-names"
          value="${showText(tool)}"
          required
          autocomplete="off"
        />
      </label>
      <datalist id="tool-names">
        ${[...names].slice(0, MOST_NAMES).map((name) => html`<option value="${name}"></option>`)}
      </datalist>
      <label
        >Arguments, as JSON
        <textarea name="arguments" rows="6" spellcheck="false" placeholder="{}">
${argumentsText}</textarea>
      </label>
      <label>Caller <input name="principal" value="${principal}" autocomplete="off" /></label>
      <label class="check"
        ><input type="checkbox" name="repeated" value="1" ${repeated ? html`checked` : ''} /> as if
        an equal call had just been made</label
      >
      <button type="submit">Check</button>
    </form>`;
}

function nameOf(tool: unknown): string {
  const name = own(toRecord(tool), 'name');
  return typeof name === 'string' ? name : '';
}

/** A verdict in words: what happens to the call, by which rule, under which terms, and what it would do. */
const WORDS: Readonly<Record<Verdict['kind'], string>> = {
  allow: 'It would run',
  ask: 'A person would be asked',
  deny: 'It would be refused',
};

function whatIfVerdict(
  { verdict, tool, effect }: WhatIf & { kind: 'verdict' },
  mode: Mode | undefined,
): Markup {
  const { inferred } = tool;
  const worst = worstTier(inferred.effect);
  return html`<p>
      <b>${WORDS[verdict.kind]}</b>, by the rule <code>${showText(verdict.rule)}</code>.
      ${tierTag(effect.tier)}${mode === undefined ? '' : `, ${mode}`}
    </p>
    ${grounds(verdict)}
    ${
      effect.tier === worst
        ? ''
        : html`<p>These arguments make it milder: at worst, the tool ${tierTag(worst)}.</p>`
    }
    <details open>
      <summary>What this call would do</summary>
      ${toolEffect(effect)}
    </details>
    <details>
      <summary>How that is known (${Math.round(inferred.confidence * 100)} % confidence)</summary>
      <ol>
        ${inferred.reasons.map(
          ({ text, source }) => html`<li>${showText(text)} <small>(${source})</small></li>`,
        )}
      </ol>
    </details>`;
}

function grounds(verdict: Verdict): Markup {
  switch (verdict.kind) {
    case 'allow':
      return html`<p>${termWords(verdict.terms)}</p>`;
    case 'ask': {
      const { channels, grants, expirySeconds } = verdict.asking;
      return html`<p>${showText(`${verdict.does} ${verdict.why}`)}</p>
        <p>
          Asked by ${channels.join(', ') || 'no channel'}, for ${expirySeconds} s; an approval may
          cover ${grants.join(', ')}. ${termWords(verdict.terms)}
        </p>`;
    }
    case 'deny':
      return html`<p>${showText(verdict.detail)} <code>${verdict.code}</code></p>`;
  }
}

function termWords({ budgets, cacheSeconds }: Terms): string {
  const drawn = budgets.map((each) => `${showText(each.name)} (${limitWords(each)})`);
  const budget = drawn.length === 0 ? 'It uses no budget' : `It uses ${drawn.join(', ')}`;
  return cacheSeconds === 0
    ? `${budget}.`
    : `${budget}; its answer may be cached for ${cacheSeconds} s.`;
}
