// The words of the panel of a contact; they come with it.
import { addTexts, useTexts } from '@balcao/ui/i18n'
import pt from '../../locales/contact-panel/pt.json'

addTexts('contact-panel', {
  pt,
  en: () => import('../../locales/contact-panel/en.json'),
  es: () => import('../../locales/contact-panel/es.json'),
})

export function usePanelTexts() {
  return useTexts('contact-panel')
}
export type PanelTexts = ReturnType<typeof usePanelTexts>
