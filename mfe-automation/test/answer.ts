// Builds a quick answer for tests; only what a test is about is named in it.
import type { QuickAnswer } from '@balcao/contract'

export function makeQuickAnswer(part: Partial<QuickAnswer> & { id: number; shortcut: string }): QuickAnswer {
  return {
    message: 'Nossa chave Pix é…',
    mediaUrl: null,
    mediaType: null,
    mediaName: null,
    queueId: null,
    userId: null,
    version: 1,
    ...part,
  }
}
