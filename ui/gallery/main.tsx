import { createRoot } from 'react-dom/client'
import { addTexts } from '../src/i18n/index.ts'
import { Toasts } from '../src/kit/parts/index.ts'
import { MemoryRouter } from '../src/router/index.ts'
import { startTheme } from '../src/session/index.ts'
import { PARTS } from './parts.tsx'
import { WORDS } from './words.ts'

startTheme()
addTexts('gallery', { pt: WORDS, en: WORDS, es: WORDS })
const wanted = new URLSearchParams(location.search).get('part') ?? ''
const shown = Object.entries(PARTS).filter(([name]) => !(wanted in PARTS) || name === wanted)
const app = document.getElementById('app')
if (app)
  createRoot(app).render(
    <MemoryRouter>
      {shown.map(([name, Part]) => (
        <div key={name} data-part={name} className="h-full">
          <Part />
        </div>
      ))}
      <Toasts />
    </MemoryRouter>,
  )
