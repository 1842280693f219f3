// Texts and looks of the composer's parts that come with their first use.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/composer/pt.json'
import './late.css'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/composer/en.json'),
  es: () => import('../../locales/composer/es.json'),
})
