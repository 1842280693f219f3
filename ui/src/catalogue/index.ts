// The sentences of the server's catalogue, for a code that no answer brings along: why a job failed, or one of many conversations.
import pt from '@balcao/contract/texts/errors/pt.json'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'

addTexts('errors', {
  pt,
  en: () => import('@balcao/contract/texts/errors/en.json'),
  es: () => import('@balcao/contract/texts/errors/es.json'),
})

/** Null: the catalogue has no such code. */
export function findCatalogueText(code: string): string | null {
  return hasText('errors', code) ? getTexts('errors')(code) : null
}
