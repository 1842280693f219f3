// The words of the desk in a report of conversations; what was said stays as it was said, and lines about a ticket as they were written.
import type { Language, MediaType, NoticeCode } from '@balcao/contract'
import en from '@balcao/contract/texts/conversation-reports/en.json'
import es from '@balcao/contract/texts/conversation-reports/es.json'
import pt from '@balcao/contract/texts/conversation-reports/pt.json'
import noticesEn from '@balcao/contract/texts/notices/en.json'
import noticesEs from '@balcao/contract/texts/notices/es.json'
import noticesPt from '@balcao/contract/texts/notices/pt.json'

/** `kinds` has those that are named. */
export type ConversationWords = Omit<typeof pt, 'kinds'> & {
  readonly kinds: Readonly<Partial<Record<MediaType, string>>>
  readonly notices: Readonly<Record<NoticeCode, string>>
}

export const CONVERSATION_WORDS: Readonly<Record<Language, ConversationWords>> = {
  pt: { ...pt, notices: noticesPt.cannotShow },
  en: { ...en, notices: noticesEn.cannotShow },
  es: { ...es, notices: noticesEs.cannotShow },
}
