// The texts of dialogs about conversations; they come with the first of them.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/dialogs/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/dialogs/en.json'),
  es: () => import('../../locales/dialogs/es.json'),
})
