// What is asked of a connection's owner, done with the session it runs.
import type { PendingCommand } from './commands.ts'
import type { RunningSession } from './session.ts'

type Afresh = (forgetPairing?: boolean) => Promise<RunningSession>

export async function executeCommand(
  { command, argument }: PendingCommand,
  session: RunningSession,
  afresh: Afresh,
): Promise<unknown> {
  const { driver } = session
  switch (command) {
    case 'start':
      return revive(session)
    case 'restart':
      await afresh()
      return null
    case 'recreate':
      return showQr(await afresh(true))
    case 'logout':
      await driver.logout()
      return null
    case 'pair':
      return (await driver.pair({ phone: argument ?? '' })).code ?? null
    case 'check':
      return driver.check(argument ?? '')
    case 'group':
      return driver.group(argument ?? '')
  }
}

/** In which the next code comes by itself, where the kind has several. */
const NEXT_CODE_MS = 2000

/** Brings a session that waits back to work: a new QR code where one is needed, otherwise a new try at once. */
async function revive(session: RunningSession): Promise<null> {
  if (session.status === null || session.status === 'OPENING') await session.settled()
  const { status, trouble, driver } = session
  if (status === 'qrcode' && session.qrExpiresAt + NEXT_CODE_MS < Date.now()) return showQr(session)
  if (status === 'CONNECTED' || status === 'qrcode' || status === 'PAIRING') return null
  if (trouble?.next === 'read_qr' || status === 'LOGGEDOUT' || status === 'TIMEOUT') return showQr(session)
  await driver.start()
  return null
}

async function showQr({ driver }: RunningSession): Promise<null> {
  if (driver.capabilities.pair.includes('qr')) await driver.pair({ qr: true })
  return null
}
