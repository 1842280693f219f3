import { expect, test } from 'bun:test'
import { createLibraryLogger, silenceSignal } from '../../src/messaging/channels/baileys/library-logger.ts'

test('sessions with private keys do not reach the console; everything else does', () => {
  const printed: unknown[][] = []
  const print = (...lines: unknown[]) => void printed.push(lines)
  const printer = { info: print, warn: print, error: print }
  silenceSignal(printer)
  silenceSignal(printer)
  printer.info('Closing session:', { privKey: 'secret' })
  printer.warn('Session already closed', { privKey: 'secret' })
  printer.info('Balcão is ready')
  expect(printed).toEqual([['Balcão is ready']])
})

test('of what the library logs only fixed words pass, without numbers and addresses', () => {
  const logged: string[] = []
  const note = (fields: object, text: string) => void logged.push(JSON.stringify(fields) + text)
  const logger = createLibraryLogger({ info: note, warn: note, error: note }, 3)
  logger.error(
    { key: { remoteJid: '5531998762210@s.whatsapp.net' } },
    'no session for 5531998762210@s.whatsapp.net, retrying',
  )
  logger.info({ text: 'Bom dia' }, 'recv')
  expect(logged).toEqual(['{"connectionId":3}baileys: no session for … retrying'])
})
