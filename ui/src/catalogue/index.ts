// The sentences of the server's catalogue, for what no answer brings along: why a job failed, one of many conversations, a field that is
// refused before anything is sent.
import type { FaultText } from '@balcao/contract/kit/app-error'
import pt from '@balcao/contract/texts/errors/pt.json'
import faults from '@balcao/contract/texts/faults/pt.json'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'

addTexts('errors', {
  pt,
  en: () => import('@balcao/contract/texts/errors/en.json'),
  es: () => import('@balcao/contract/texts/errors/es.json'),
})
addTexts('faults', {
  pt: faults,
  en: () => import('@balcao/contract/texts/faults/en.json'),
  es: () => import('@balcao/contract/texts/faults/es.json'),
})

/** Null: the catalogue has no such code, and no such fault. */
export function findCatalogueText(code: string): string | null {
  if (hasText('errors', code)) return getTexts('errors')(code)
  return hasText('faults', code) ? getTexts('faults')(code) : null
}

/** What is wrong with a field. */
export function describeFault(text: FaultText, params: Readonly<Record<string, string | number>> = {}): string {
  return getTexts('faults')(text, params)
}
