// Entry of the phones page.
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { listen } from './client.ts'

const root = document.getElementById('root')
if (root) {
  listen()
  createRoot(root).render(<App />)
}
