// Texts and looks of searching that come with its first use.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/search/pt.json'
import './search.css'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/search/en.json'),
  es: () => import('../../locales/search/es.json'),
})
