// The words that all screens share. A screen's own are of its namespace, under the keys that the parts of the kit ask for:
// title, intro, add, search, table, count, column.*, action.*, empty.title, empty.text, failed.title, form.*, problem.*
import { addTexts, useTexts } from '@balcao/ui/i18n'
import pt from '../../../locales/screens/pt.json'

addTexts('screens', {
  pt,
  en: () => import('../../../locales/screens/en.json'),
  es: () => import('../../../locales/screens/es.json'),
})

export function useKitTexts() {
  return useTexts('screens')
}
