// Opens a page in the person's own browser, where the terminal is on a machine that has one.
import { spawn } from 'node:child_process'

/** Whether something was asked to open it: `BROWSER` where it names a program, else what the system has; nothing over SSH. */
export function openPage(address: string): boolean {
  const program = findOpener(process.env)
  if (program === null) return false
  const child = spawn(program, [address], { stdio: 'ignore', detached: true })
  // A browser that is not there is as good as none: the address is on the screen too.
  child.on('error', () => {})
  child.unref()
  return true
}

function findOpener({ BROWSER, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | null {
  if (BROWSER) return BROWSER
  if (SSH_CONNECTION) return null
  if (process.platform === 'darwin') return 'open'
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : null
}
