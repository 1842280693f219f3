import './ten-things.test.ts'
