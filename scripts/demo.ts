// The demo: builds, starts everything on one port with a seeded company and simulated phones, and says what to try.
import { join } from 'node:path'
import { readServerConfig } from '@balcao/backend/app/server'
import { runOnShutdown } from '@balcao/backend/platform/ending'
import { exitWithMessage } from '@balcao/backend/platform/starting'
import { startTestSystem } from '@balcao/e2e/world'
import { buildFrontEndWhenStale } from './build-when-stale.ts'

const root = join(import.meta.dir, '..')
const dataDir = process.env.DATA_DIR ?? join(root, '.demo')

const { port } = await exitWithMessage(() =>
  readServerConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined }),
)
await buildFrontEndWhenStale()
const starting = exitWithMessage(() =>
  startTestSystem({
    port,
    dataDir,
    verbose: process.argv.includes('--verbose'),
    month: true,
  }),
)
const end = runOnShutdown(async () => {
  console.log('Encerrando…')
  await (await starting).stop()
})
const world = await starting
const { url, simulator } = world

console.log(`
Balcão está no ar.

  Mesa de atendimento   ${url}
  Celulares (simulador) ${url}/simulator
  Recebe webhooks       ${simulator.receiver.url}

  Entrar como
${world.accounts.map(account => `    ${account.email.padEnd(28)} ${account.password}   ${account.name}, ${account.profile}`).join('\n')}

  Experimente
    1. Entre como ${world.accounts[0]?.name} e deixe as duas páginas lado a lado.
    2. Em Conexões, abra o QR code de "Loja Centro"; no celular da empresa, toque em ler o código.
    3. Escreva como Padaria Estrela: a conversa sobe em Pendentes na hora. Aceite, responda, mande um arquivo e veja os tiques.
    4. N abre uma conversa nova; com Ctrl e o mouse, ou com X, marque várias e resolva todas de uma vez, com protocolo.
    5. Em Conexões, adicione uma API 3 M e pareie com o celular da filial, pelo QR code ou pelo código de 8 caracteres.
    6. Desligue a rede de um celular, responda e ligue de novo.
    7. Em Integrações, adicione o endereço que recebe webhooks e abra-o no navegador: ali aparece o que chega.

  Ctrl+C encerra. Os dados ficam em ${world.dataDir}, o banco em ${world.databaseFolder}; apague ${world.dataDir} para começar de novo.
`)

// Whichever of the processes is told to end, all do.
void world.server.ended.then(end)
