/**
 * Third step, ask, where the policy requires it: puts the call before a person and goes on with it once somebody has
 * answered. It never runs anything.
 */
import type { Frame } from '../protocol/frame.ts';
import { toProblemAnswer } from './answers.ts';
import type { RunningCall } from './running-call.ts';
import { Question } from './question.ts';

/** Opens the question and goes on with the call once it is answered. */
export function askAboutCall(call: RunningCall): Question | undefined {
  const { call: read, weighed, price, change, host } = call;
  if (read === undefined || weighed?.kind !== 'ask') return undefined;
  const { verdict, intent } = weighed;
  const notify = (frame: Frame): void => host.notify({ ...frame, about: call.id });
  const { questions, context } = host;
  const opened = (approval: string): void => {
    call.approval = approval;
  };
  const { fingerprint } = intent;
  const asking = { call: read, verdict, price, change, fingerprint, questions, notify, opened };
  const question = new Question(asking, context);
  call.later(question.asked, (asked) => {
    if (asked.kind === 'yes') {
      const { kind: _, price: shown, ...given } = asked;
      // An estimate that fails this time leaves the price that was shown.
      call.price ??= shown;
      call.permit = { rule: verdict.rule, terms: verdict.terms, ...given };
      return call.on({ kind: 'yes' });
    }
    const { problem } = asked;
    if (problem !== undefined) {
      call.own = { frame: toProblemAnswer(read, call.toTrue(problem)), outcome: problem.code };
    } else if (asked.kind === 'waiting' && asked.answer !== undefined) {
      call.own = { frame: asked.answer, outcome: 'input-required' };
    }
    return call.on({ kind: asked.kind });
  });
  return question;
}
