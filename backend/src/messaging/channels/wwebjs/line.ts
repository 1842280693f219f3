// The desk's end of one child: commands and their answers, its events and beats, and its end, with everything it started.
import { join } from 'node:path'
import { ChannelError } from '../../../platform/channel/driver.ts'
import { clearLeftovers, killGroup, recordRun } from './leftovers.ts'
import {
  type ChildCommand,
  type CommandResults,
  type FromChild,
  type Heartbeat,
  readLines,
  type ToChild,
  type WebEvent,
} from './protocol.ts'

/** Of the desk's environment a browser needs no more than this; it holds secrets. */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TMP|TEMP|USER|LANG|LC_\w+|TZ|DISPLAY|XDG_\w+|FONTCONFIG_\w+|LD_LIBRARY_PATH|CHROME_PATH|BALCAO_BROWSER|PLAYWRIGHT_BROWSERS_PATH|NODE_EXTRA_CA_CERTS|SystemRoot|(https?|no)_proxy)$/i
const STOP_MS = 6000

interface PendingCommand {
  readonly done: (value: unknown) => void
  readonly failed: (error: unknown) => void
  readonly handed?: (() => void) | undefined
}

/** The process ended before it answered. `handed`: the browser had it already, so nobody knows. */
export class LineLostError extends Error {
  constructor(readonly handed: boolean) {
    super('The browser of this connection has ended')
    this.name = 'LineLostError'
  }
}

export interface LineHandlers {
  readonly event: (event: WebEvent) => void
  readonly beat: (beat: Heartbeat) => void
  readonly ended: () => void
  readonly printed: (text: string) => void
}

export class ChildLine {
  private readonly child: Bun.Subprocess<'pipe', 'pipe', 'pipe'>
  private readonly pending = new Map<number, PendingCommand & { isHanded: boolean }>()
  private browser = 0
  private number = 0
  private over = false

  constructor(
    private readonly folder: string,
    private readonly heard: LineHandlers,
  ) {
    clearLeftovers(folder)
    this.child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), folder], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      // A group of its own: what it starts ends with it.
      detached: true,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
    })
    try {
      recordRun(folder, { child: this.child.pid })
    } catch (error) {
      // Whoever comes after a crash could not end it.
      killGroup(this.child.pid)
      throw error
    }
    readLines(this.child.stdout, text => this.read(text)).catch(() => {})
    readLines(this.child.stderr, heard.printed).catch(() => {})
    this.child.exited.then(() => this.ended()).catch(() => {})
  }

  /** Throws `ChannelError` with the child's code, or `LineLostError`. `handed` is called when the browser has it. */
  ask<C extends ChildCommand>(command: C, handed?: () => void): Promise<CommandResults[C['c']]>
  ask(command: ChildCommand, handed?: () => void): Promise<unknown> {
    if (this.over) return Promise.reject(new LineLostError(false))
    const id = ++this.number
    return new Promise((done, failed) => {
      this.pending.set(id, { done, failed, handed, isHanded: false })
      this.write({ ...command, id })
    })
  }

  /** The browser is open. */
  opened(browser: number): void {
    this.browser = browser
    // Told so only after it was to end: the note there is somebody else's by now, and what has no owner any more goes.
    if (this.over) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) this.kill()
      return
    }
    recordRun(this.folder, { child: this.child.pid, ...(browser > 0 && { browser }) })
  }

  /** Ends it in order, so that the profile is written whole; by force when that takes too long. */
  async stop(): Promise<void> {
    if (this.over) return
    this.over = true
    this.write({ c: 'stop', id: 0 })
    await Promise.race([this.child.exited, Bun.sleep(STOP_MS)])
    this.kill()
    await this.child.exited
  }

  /** At once, with everything it started. */
  kill(): void {
    this.over = true
    killGroup(this.child.pid)
    if (this.browser > 0) killGroup(this.browser)
  }

  /** A child that is ending by itself does not read any more. */
  private write(command: ToChild): void {
    Promise.resolve(this.child.stdin.write(`${JSON.stringify(command)}\n`)).catch(() => {})
  }

  private read(text: string): void {
    let frame: FromChild
    try {
      frame = JSON.parse(text)
    } catch {
      return
    }
    if ('ev' in frame) this.heard.event(frame.ev)
    else if ('hb' in frame) this.heard.beat(frame.hb)
    else this.answered(frame)
  }

  private answered(frame: Extract<FromChild, { re: number }>): void {
    const command = this.pending.get(frame.re)
    if (!command) return
    if ('handed' in frame) {
      command.isHanded = true
      command.handed?.()
      return
    }
    this.pending.delete(frame.re)
    if (frame.ok) command.done(frame.value)
    else command.failed(toChannelError(frame.error, command.isHanded))
  }

  private ended(): void {
    this.kill()
    for (const { failed, isHanded } of this.pending.values()) failed(new LineLostError(isHanded))
    this.pending.clear()
    this.heard.ended()
  }
}

/** What went wrong before the page had it changed nothing, whatever it was; so did an upload that failed. */
function toChannelError({ code, text }: { code: string; text: string }, isHanded: boolean): ChannelError {
  if (code !== 'error') return new ChannelError(code, text)
  if (!isHanded) return new ChannelError('not_handed_over', text)
  return new ChannelError(/upload failed|media-fault/.test(text) ? 'upload_failed' : code, text)
}
