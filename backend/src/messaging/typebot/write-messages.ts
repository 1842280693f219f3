// What a flow says becomes messages of ours, by the one way out (docs/decisions/0171): in its order, each behind the one before.
import { KIND_TABLE, type Kind, renderMenuTexts, splitText } from '@balcao/contract'
import { claimUpload } from '../../desk/media/claim.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { type MessageContent, toContentColumns } from '../../desk/messages/content.ts'
import { writeMessage } from '../../desk/messages/write.ts'
import type { LockedTicket } from '../../desk/tickets/lock.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { FlowMessage } from './questions.ts'

/** Something to say, with its file where it brings one that was had, and how long after what stands before it. */
export interface ReadyMessage {
  readonly saying: FlowMessage
  readonly file: FileToSend | null
  readonly pauseMs: number
}

/** Whether it may leave; what was written before a refusal stays. The ticket's event is the caller's. */
export async function writeFlowMessages(
  tx: Tx,
  ticket: LockedTicket,
  kind: Kind,
  ready: readonly ReadyMessage[],
): Promise<boolean> {
  try {
    await write(tx, ticket, kind, ready)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function write(tx: Tx, ticket: LockedTicket, kind: Kind, ready: readonly ReadyMessage[]): Promise<void> {
  let afterMs = 0
  for (const { saying, file, pauseMs } of ready) {
    afterMs = Math.min(afterMs + pauseMs, LONGEST_MS)
    for (const contents of saidAs(kind, saying, file)) {
      if (contents.file) await claimUpload(tx, null, contents.file.mediaId, { ticketId: ticket.id })
      const content = toContentColumns(contents)
      await writeMessage(tx, { ticket, userId: null, ...content, automatic: true, ticketToldLater: true, afterMs })
    }
  }
}

/** A person who takes over waits no longer than this for what a flow still wanted to say. */
const LONGEST_MS = 20_000

function saidAs(kind: Kind, saying: FlowMessage, file: FileToSend | null): MessageContent[] {
  const { text: most, caption: mostUnder } = KIND_TABLE[kind].most
  switch (saying.say) {
    case 'text':
      return splitText(saying.text, most).map(body => ({ body }))
    case 'menu': {
      const { words, options, several } = saying
      // Words that are too long for a menu stand before it.
      const [above, below] = words.length > most / 2 ? [words, ''] : ['', words]
      const texts = renderMenuTexts(below, options, most)
      const menu = several || below === '' || texts.length > 1 ? undefined : { words: below, options }
      return [...splitText(above, most), ...texts].map(body => ({ body, menu: body === texts[0] ? menu : undefined }))
    }
    case 'file': {
      const { url, caption } = saying
      if (!file) return splitText([caption, url].filter(Boolean).join('\n'), most).map(body => ({ body }))
      const under = file.mediaType !== 'audio' && caption.length <= mostUnder
      return [{ body: under ? caption : '', file }, ...(under ? [] : splitText(caption, most).map(body => ({ body })))]
    }
  }
}
