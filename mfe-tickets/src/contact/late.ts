// Texts and styles of drawers and of what opens from them: they come with the code that shows them, not with the first screen.
import './late.css'
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/drawers/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/drawers/en.json'),
  es: () => import('../../locales/drawers/es.json'),
})
