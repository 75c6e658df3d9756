/**
 * What the caller of a call that waits for a person is told. Written for a model to pass on: who holds
 * the call and why, where a person answers, and when to send it again. Holds no credential.
 */
import { showText } from './show-text.ts';

export interface Waiting {
  readonly server: string;
  readonly tool: string;
  /** The reason of the verdict, as a sentence. */
  readonly why: string;
  readonly shortId: string;
  /** Whether an answer in the console counts. */
  readonly atConsole: boolean;
  /** The page of the question, when a console is running. */
  readonly consoleUrl?: string;
  /** Whether `plimsoll approve` counts. */
  readonly atTerminal: boolean;
  /** Whether the question was also posted to the webhook. */
  readonly byWebhook: boolean;
  /** Whether sending the call again shows the host's form again. */
  readonly inHost: boolean;
  /** How long this answer was held back for the person. */
  readonly heldSeconds: number;
  readonly retryAfterSeconds: number;
  /** How long the question stays open from now. */
  readonly expiresInSeconds: number;
}

export function toWaitingText(waiting: Waiting): string {
  const { heldSeconds, retryAfterSeconds, expiresInSeconds } = waiting;
  const call = `${showText(waiting.tool)} on ${showText(waiting.server)}`;
  const held = heldSeconds > 0 ? ` Nobody answered within ${seconds(heldSeconds)}.` : '';
  return [
    `Plimsoll is holding this call until a person approves it: ${call}.`,
    `Why: ${toSentence(showText(waiting.why))}${held} Nothing was run.`,
    toWays(waiting),
    `Then send exactly the same call again; try in ${seconds(retryAfterSeconds)}.`,
    `The question stays open for ${toDuration(expiresInSeconds)}.`,
  ].join(' ');
}

function toWays(waiting: Waiting): string {
  const { atConsole, consoleUrl, shortId, atTerminal, byWebhook, inHost } = waiting;
  const ways = [
    ...(atConsole && consoleUrl !== undefined ? [`open ${consoleUrl}`] : []),
    // With a terminal at hand, a console that does not run is no help.
    ...(atConsole && consoleUrl === undefined && !atTerminal ? ['run `plimsoll console`'] : []),
    ...(atTerminal ? [`run \`plimsoll approve ${shortId}\` in a terminal`] : []),
    ...(inHost ? ['answer the form that appears when the call is sent again'] : []),
  ];
  const posted = byWebhook ? ' The question was also sent to the approval webhook.' : '';
  if (ways.length === 0) {
    return byWebhook
      ? `The question (${shortId}) was sent to the approval webhook; a person answers there.`
      : `The policy lets only the host's own form answer question ${shortId}, and this client shows none: the policy has to allow another channel.`;
  }
  return `Tell the user: to approve or decline, ${ways.join(', or ')}.${posted}`;
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function seconds(count: number): string {
  return count === 1 ? '1 second' : `${count} seconds`;
}

function toDuration(count: number): string {
  const minutes = Math.round(count / 60);
  if (count < 90) return seconds(Math.max(1, Math.round(count)));
  return `${minutes} minutes`;
}
