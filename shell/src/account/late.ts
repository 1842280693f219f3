// Texts and looks of signing in and of the account's dialogs, which come with their first use.

import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/account/pt.json'
import './account.css'

addTexts('shell', {
  pt,
  en: () => import(/* webpackChunkName: "lazy-account-en" */ '../../locales/account/en.json'),
  es: () => import(/* webpackChunkName: "lazy-account-es" */ '../../locales/account/es.json'),
})
