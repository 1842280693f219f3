// Texts and looks of the cards, fetched with them.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../../locales/cards/pt.json'
import './cards.css'

addTexts('tickets', {
  pt,
  en: () => import('../../../locales/cards/en.json'),
  es: () => import('../../../locales/cards/es.json'),
})
