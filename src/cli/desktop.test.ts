import { describe, expect, it } from 'vitest';
import { toBrowserCommand, toNotification } from './desktop.ts';

const TITLE = 'a "title" & $(more)';
const TEXT = `<b>delete</b> 'x' "; beep`;

describe('a notification on the desktop', () => {
  it('is text on Linux, where desktops read markup', () => {
    expect(toNotification('linux', TITLE, TEXT)).toEqual({
      command: 'notify-send',
      args: ['--app-name=Plimsoll', '--', TITLE, `&lt;b&gt;delete&lt;/b&gt; 'x' "; beep`],
    });
  });

  it('is an argument and no part of a script on macOS', () => {
    const { command, args } = toNotification('darwin', TITLE, TEXT);
    expect(command).toBe('osascript');
    expect(args.slice(-3)).toEqual(['--', TITLE, TEXT]);
    expect(args.slice(0, -3).join(' ')).not.toContain('beep');
  });

  it('is a variable and no part of a script on Windows', () => {
    const { command, args, env } = toNotification('win32', TITLE, TEXT);
    expect(command).toBe('powershell.exe');
    expect(env).toEqual({ PLIMSOLL_TITLE: TITLE, PLIMSOLL_TEXT: TEXT });
    expect(args.join(' ')).not.toContain('beep');
  });
});

it('a browser is opened by the command of the system', () => {
  const url = 'http://plimsoll-1.localhost:1/enter?token=a&b';
  expect(toBrowserCommand('linux', url)).toEqual({ command: 'xdg-open', args: [url] });
  expect(toBrowserCommand('darwin', url)).toEqual({ command: 'open', args: [url] });
  expect(toBrowserCommand('win32', url)).toEqual({
    command: 'rundll32.exe',
    args: ['url.dll,FileProtocolHandler', url],
  });
});
