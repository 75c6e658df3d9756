/**
 * The desktop of the user: a notification, and the browser. What is shown goes to the system's own
 * command as an argument or a variable, never as a part of a script.
 */
import { spawn } from 'node:child_process';

export interface DesktopCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const APPLESCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
] as const;

const POWERSHELL = [
  '[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]',
  '[void][Windows.Data.Xml.Dom.XmlDocument,Windows.Data.Xml.Dom.XmlDocument,ContentType=WindowsRuntime]',
  '$xml = New-Object Windows.Data.Xml.Dom.XmlDocument',
  '$title = [Security.SecurityElement]::Escape($env:PLIMSOLL_TITLE)',
  '$text = [Security.SecurityElement]::Escape($env:PLIMSOLL_TEXT)',
  '$xml.LoadXml("<toast><visual><binding template=\'ToastGeneric\'><text>$title</text><text>$text</text></binding></visual></toast>")',
  '$toast = New-Object Windows.UI.Notifications.ToastNotification $xml',
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Plimsoll').Show($toast)",
].join('; ');

export function toNotification(
  platform: NodeJS.Platform,
  title: string,
  text: string,
): DesktopCommand {
  if (platform === 'darwin') {
    const script = APPLESCRIPT.flatMap((line) => ['-e', line]);
    return { command: 'osascript', args: [...script, '--', title, text] };
  }
  if (platform === 'win32') {
    const args = ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL];
    const env = { PLIMSOLL_TITLE: title, PLIMSOLL_TEXT: text };
    return { command: 'powershell.exe', args, env };
  }
  // Most desktops read markup in the text.
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { command: 'notify-send', args: ['--app-name=Plimsoll', '--', title, plain] };
}

export function toBrowserCommand(platform: NodeJS.Platform, url: string): DesktopCommand {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  if (platform === 'win32') {
    return { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler', url] };
  }
  return { command: 'xdg-open', args: [url] };
}

/** Tells whether the command could be started; what it does then is up to the desktop. */
export function runOnDesktop({ command, args, env = {} }: DesktopCommand): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...env },
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

/** One notification in this time, however many calls wait: the console shows all of them. */
const NOTIFY_EVERY_MS = 5000;

/** A desktop without the command has no notifications; that is no error. */
export function openNotifier(now: () => number = Date.now): (title: string, text: string) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (title, text) => {
    if (now() - lastAt < NOTIFY_EVERY_MS) return;
    lastAt = now();
    void runOnDesktop(toNotification(process.platform, title, text));
  };
}
