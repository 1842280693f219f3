// Lines that change in their place, drawn by Ink. No keys are read: Ctrl+C stays a signal, and the terminal is never in another mode.
import { render, Text } from 'ink'
import type { Ending } from './ending.ts'

export interface TerminalScreen {
  draw(lines: readonly string[]): void
  /** The last lines stay. */
  end(): void
}

export function openScreen(ending: Ending): TerminalScreen {
  const app = render(<Lines lines={[]} />, { exitOnCtrlC: false, patchConsole: false })
  const forget = ending.onEnd(() => app.unmount())
  return {
    draw: lines => app.rerender(<Lines lines={lines} />),
    end() {
      forget()
      app.unmount()
    },
  }
}

/** Texts come painted, so that colours are decided in one place. */
function Lines({ lines }: { readonly lines: readonly string[] }) {
  return <Text>{lines.join('\n')}</Text>
}
