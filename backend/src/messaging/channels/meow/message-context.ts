// What a webhook leaves out and one has to ask for: a group's name, whose message is answered, what a document is called.
import type { DriverHost } from '../../../platform/channel/driver.ts'
import { isRecord, toText } from '../shared/json.ts'
import { fetchChatMessages } from './chats.ts'
import { toContent } from './content.ts'
import type { Gateway } from './gateway.ts'
import type { MeowGroups } from './groups.ts'
import type { MeowMessageContext } from './inbound.ts'

/** The gateway waits ten seconds for us; a name is not worth more than some of them. */
const LONGEST_WAIT_MS = 3000
const NEWEST = 20

export async function loadMessageContext(
  { event, payload }: Readonly<Record<string, unknown>>,
  gateway: Gateway,
  groups: MeowGroups,
  host: Pick<DriverHost, 'rawMessage'>,
): Promise<MeowMessageContext> {
  if (event !== 'message' || !isRecord(payload)) return {}
  const [chat, id, quoted] = [toText(payload.chat_id), toText(payload.id), toText(payload.replied_to_id)]
  if (!chat || !id) return {}
  const [chatName, quotesOurs, fileName] = await Promise.all([
    chat.endsWith('@g.us') ? groups.name(chat) : undefined,
    quoted ? host.rawMessage(quoted).then(isOurs) : undefined,
    needsName(payload) ? nameOfFile(gateway, chat, id) : undefined,
  ])
  return { chatName, quotesOurs, fileName }
}

/** As kept of what we sent, and of what was typed on the phone. */
function isOurs(raw: unknown): boolean {
  if (!isRecord(raw)) return false
  const stored = isRecord(raw.stored) ? raw.stored : raw
  return raw.sent === true || stored.is_from_me === true
}

function needsName(payload: Readonly<Record<string, unknown>>): boolean {
  const { mediaType, media } = toContent(payload)
  return mediaType === 'application' && media !== undefined && !media.name
}

/** The chat keeps the name that the webhook does not tell. */
async function nameOfFile(gateway: Gateway, chat: string, id: string): Promise<string | undefined> {
  const found = (async () => {
    for await (const page of fetchChatMessages(gateway, chat, { media_only: true }, NEWEST))
      return toText(page.find(one => one.id === id)?.filename)
    return undefined
  })()
  return Promise.race([found.catch(() => undefined), Bun.sleep(LONGEST_WAIT_MS).then(() => undefined)])
}
