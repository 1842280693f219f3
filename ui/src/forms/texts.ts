// Texts and looks of the forms; they come with the first of them.
import { addTexts, useTexts } from '@balcao/ui/i18n'
import pt from '../../locales/forms/pt.json'
import './forms.css'

addTexts('forms', {
  pt,
  en: () => import('../../locales/forms/en.json'),
  es: () => import('../../locales/forms/es.json'),
})

export function useFormTexts() {
  return useTexts('forms')
}
