/** "What would happen if": a call that somebody types in, judged as the gate would. Nothing is sent anywhere. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { fromShown, showText } from '../../gate/approve/show-text.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import type { Question, WhatIf } from '../data/what-if.ts';
import { whatIf } from '../data/what-if.ts';
import type { Env } from '../env.ts';
import type { Markup } from '../page.ts';
import { page } from '../page.ts';
import { policyTable } from './policy-table.ts';
import { whatIfForm } from './what-if-form.ts';
import { whatIfVerdict } from './what-if-verdict.ts';

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

  // A POST although nothing changes: arguments do not belong in addresses, which are kept and shown.
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
  <h2>There is nothing to try yet</h2>
  <p>Put a server behind the gate, and you can see here what would become of a call to it.</p>
  <p><a href="/servers">See how</a></p>
</section>`;
