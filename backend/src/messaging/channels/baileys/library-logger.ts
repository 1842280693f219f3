// What the libraries say: nothing of it may carry keys, numbers or texts of people into our logs.
import type { ILogger } from '@whiskeysockets/baileys/lib/Utils/logger.js'
import type { DriverHost } from '../../../platform/channel/driver.ts'

/** How libsignal begins when it prints whole sessions, private keys included, through the console. */
const LEAKS = [
  'Closing session:',
  'Opening session:',
  'Removing old closed session:',
  'Session already closed',
  'Session already open',
  'Closing open session in favor of',
  'Migrating session to:',
  'V1 session storage migration error',
  'Unhandled bucket type',
  'Decrypted message with closed session',
  'Failed to decrypt message with any known session',
  'Session error:',
  'WARNING: Expected pubkey of length 33',
]

type Printer = Pick<Console, 'info' | 'warn' | 'error'>
const silenced = new WeakSet<Printer>()

/** Keeps libsignal off the console, once a process; everything else passes. */
export function silenceSignal(printer: Printer = console): void {
  if (silenced.has(printer)) return
  silenced.add(printer)
  for (const level of ['info', 'warn', 'error'] as const) {
    const print = printer[level].bind(printer)
    printer[level] = (...lines: unknown[]) => {
      const [first] = lines
      if (typeof first === 'string' && LEAKS.some(leak => first.startsWith(leak))) return
      print(...lines)
    }
  }
}

/** A logger for the library that lets only its fixed words of trouble through, without objects, numbers or addresses. */
export function createLibraryLogger(log: DriverHost['log'], connectionId: number): ILogger {
  const nothing = () => {}
  const say = (level: 'warn' | 'error') => (_fields: unknown, text?: string) => {
    if (text) log[level]({ connectionId }, `baileys: ${text.replace(/\S*(?:\d{5,}|@)\S*/g, '…')}`)
  }
  const logger: ILogger = {
    level: 'error',
    child: () => logger,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: say('warn'),
  }
  return logger
}
