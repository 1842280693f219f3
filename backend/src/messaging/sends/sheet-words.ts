// What the sheet of a send's recipients says, in the language of who asked for it. Pure.
import type { Exclusion, Language, RecipientState } from '@balcao/contract'
import en from '@balcao/contract/texts/send-reasons/en.json'
import es from '@balcao/contract/texts/send-reasons/es.json'
import pt from '@balcao/contract/texts/send-reasons/pt.json'
import { EXPORT_WORDS } from '../../policy/kit/export-words.ts'

interface Words {
  readonly heads: readonly string[]
  readonly states: Readonly<Record<RecipientState, string>>
  readonly reasons: Readonly<Record<Exclusion, string>> & Readonly<Record<string, string>>
  /** Whatever else a provider may have had against it. */
  readonly other: string
}

export const RECIPIENT_WORDS: Readonly<Record<Language, Words>> = {
  pt: { ...EXPORT_WORDS.pt.recipients, reasons: pt.why, other: pt.why.other },
  en: { ...EXPORT_WORDS.en.recipients, reasons: en.why, other: en.why.other },
  es: { ...EXPORT_WORDS.es.recipients, reasons: es.why, other: es.why.other },
}
