// The texts of what stands where nothing is; they come with the first of them.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/empty/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/empty/en.json'),
  es: () => import('../../locales/empty/es.json'),
})
