// Texts and looks of the forms; they come with the first of them.
import { addTexts, useTexts } from '@balcao/ui/i18n'
import contactPt from '../../../locales/contact-form/pt.json'
import pt from '../../../locales/forms/pt.json'
import './forms.css'

addTexts('forms', {
  pt,
  en: () => import('../../../locales/forms/en.json'),
  es: () => import('../../../locales/forms/es.json'),
})

export function useFormTexts() {
  return useTexts('forms')
}

/** The form of a contact, in the keys that forms of the kit ask for. */
export const CONTACT_TEXTS = 'contact-form'

addTexts(CONTACT_TEXTS, {
  pt: contactPt,
  en: () => import('../../../locales/contact-form/en.json'),
  es: () => import('../../../locales/contact-form/es.json'),
})

export function useContactTexts() {
  return useTexts(CONTACT_TEXTS)
}
