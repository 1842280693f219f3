import '../../ui/src/kit/styles.css'
import './shell.css'
import { addTexts, withTexts } from '@balcao/ui/i18n'
import { Boundary } from '@balcao/ui/parts'
import { startTheme } from '@balcao/ui/session'
import { createRoot } from 'react-dom/client'
import pt from '../locales/pt.json'
import { App } from './App.tsx'

startTheme()
addTexts('shell', {
  pt,
  en: () => import(/* webpackChunkName: "lazy-shell-en" */ '../locales/en.json'),
  es: () => import(/* webpackChunkName: "lazy-shell-es" */ '../locales/es.json'),
})

void withTexts(document.getElementById('app')).then(place => {
  if (!place) return
  createRoot(place).render(
    <Boundary>
      <App />
    </Boundary>,
  )
})
