// What a sheet of the log says, in the language of who asked for it. Pure.
import { flattenSentences, formatLogText, type Language, LOG_SENTENCES, type LogRow } from '@balcao/contract'
import en from '@balcao/contract/texts/log/en.json'
import es from '@balcao/contract/texts/log/es.json'

const SENTENCES = { pt: LOG_SENTENCES, en: flattenSentences(en.log), es: flattenSentences(es.log) }

/** What was done. What a client reported, and what was written before actions had codes, keeps the words it was written with. */
export function formatLogSentence(language: Language, { action, params, descricao }: LogRow): string {
  return action === null ? descricao : formatLogText(action, params, SENTENCES[language])
}
