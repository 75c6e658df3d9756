/** `--pass-env`, of every command that starts a server: which variables it gets of the environment. */
import { InvalidArgumentError, Option } from 'commander';

/** The name that a variable has at the server, and here. */
export type PassedEnv = Readonly<Record<string, string>>;

export function passEnvOption(): Option {
  return new Option(
    '--pass-env <name>',
    'a variable that the server gets of the environment, or NAME=VARIABLE; repeatable',
  )
    .argParser(addPassed)
    .default({}, 'only PATH, HOME and the like');
}

function addPassed(text: string, before: PassedEnv): PassedEnv {
  const [name = '', variable = name] = text.split('=', 2);
  if (name === '' || variable === '')
    throw new InvalidArgumentError('write NAME or NAME=VARIABLE.');
  return { ...before, [name]: variable };
}
