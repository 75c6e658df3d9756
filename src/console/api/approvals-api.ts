/** The approval queue over the API: waiting questions, one question, and its answer. */
import type { Hono } from 'hono';
import { z } from 'zod';
import type { AnswerRefusal } from '../../gate/approvals/approval-machine.ts';
import type { Problem } from '../../lib/problem.ts';
import type { GrantScope } from '../../gate/policy/verdict.ts';
import { GRANT_SCOPES } from '../../gate/policy/verdict.ts';
import { toProblem } from '../../lib/problem.ts';
import type { ProblemCode } from '../../lib/problem-kind.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { ConsoleServices, Env } from '../console-services.ts';
import { toApprovalView } from '../data/approval-view.ts';
import { refuse } from '../page.ts';

export const ANSWER: z.ZodType<ApiAnswer> = z.strictObject({
  decision: z.enum(['approve', 'decline']),
  display: z.string(),
  grant: z.enum(GRANT_SCOPES).optional(),
  grantMinutes: z.number().positive().optional(),
  reason: z.string().max(500).optional(),
});

interface ApiAnswer {
  decision: 'approve' | 'decline';
  /** Digest of the card that the person was shown. */
  display: string;
  grant?: GrantScope | undefined;
  grantMinutes?: number | undefined;
  reason?: string | undefined;
}

/** What the codes advise in general is for whoever calls tools; here it is for whoever answers. */
const REFUSALS: Readonly<Record<AnswerRefusal, readonly [ProblemCode, remedy: string]>> =
  Object.freeze({
    'not-found': ['not-found', 'Take the id from GET /api/approvals.'],
    expired: [
      'approval-expired',
      'Nothing was run. If the call is sent again, it is asked about again.',
    ],
    'already-decided': ['conflict', 'GET /api/approvals/{id} shows how it was answered.'],
    withdrawn: ['conflict', 'Nothing was run. If the call is sent again, it is asked about again.'],
    'display-differs': [
      'conflict',
      'Send as `display` the whole digest that GET /api/approvals has for this question, once you have read its card.',
    ],
    'self-approval': ['forbidden', 'Somebody else must answer.'],
    'wrong-channel': ['forbidden', 'Answer where `detail` says.'],
    'scope-too-wide': [
      'forbidden',
      'Answer with a `grant` that `detail` names, and with no more `grantMinutes` than the card has.',
    ],
  });

export function registerApprovalsApi(app: Hono<Env>, services: ConsoleServices): void {
  const { approvals } = services;
  app.get('/api/approvals', async (context) => {
    const pending = await approvals.listPending();
    return context.json({ approvals: pending.map((each) => toApprovalView(each, services)) });
  });
  app.get('/api/approvals/:id', async (context) => {
    const approval = await approvals.find(context.req.param('id'));
    if (approval === undefined) return refuse(context, NOT_FOUND);
    return context.json(toApprovalView(approval, services));
  });
  app.post('/api/approvals/:id/answer', async (context) => {
    const reading = readAnswer(await context.req.text());
    if ('code' in reading) return refuse(context, reading);
    const { decision, display, grant, grantMinutes, reason } = reading;
    const answered = await approvals.answer(context.req.param('id'), {
      kind: decision,
      approver: context.get('who'),
      channel: 'console',
      display,
      ...(grant !== undefined && { grant }),
      ...(grantMinutes !== undefined && { grantMinutes }),
      ...(reason !== undefined && { reason }),
    });
    if (answered.kind === 'refused') {
      const [code, remedy] = REFUSALS[answered.code];
      return refuse(context, toProblem(code, answered.detail, { remedy }));
    }
    return context.json(toApprovalView(answered.approval, services));
  });
}

const NOT_FOUND: Problem = toProblem('not-found', 'No such question.');

function readAnswer(text: string): ApiAnswer | Problem {
  const parsed = parseStrictJson(text);
  if (parsed.kind === 'refused') return toProblem('malformed-json', 'The body is not plain JSON.');
  const answer = ANSWER.safeParse(parsed.value);
  if (answer.success) return answer.data;
  const errors = answer.error.issues.map(({ path, message }) => ({
    pointer: path.map((key) => `/${String(key)}`).join(''),
    detail: message,
  }));
  return toProblem('invalid-input', 'The answer is malformed.', { errors });
}
