/** The public npm servers that the check runs over, each at one version so that runs can be compared. */
import type { CorpusServer } from './corpus-server.ts';

const KEY = 'made-up-for-the-corpus';

export const SERVERS: readonly CorpusServer[] = [
  { package: '@modelcontextprotocol/server-everything', version: '2026.8.31' },
  { package: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'] },
  { package: '@modelcontextprotocol/server-memory', version: '2026.8.31' },
  { package: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31' },
  {
    package: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: KEY },
  },
  {
    package: '@modelcontextprotocol/server-gitlab',
    version: '2025.4.25',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: KEY },
  },
  {
    package: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    env: { SLACK_BOT_TOKEN: KEY, SLACK_TEAM_ID: 'T0000000' },
  },
  {
    package: '@modelcontextprotocol/server-postgres',
    version: '0.6.2',
    args: ['postgresql://nobody@127.0.0.1:1/none'],
  },
  { package: '@modelcontextprotocol/server-puppeteer', version: '2025.5.12' },
  {
    package: '@modelcontextprotocol/server-brave-search',
    version: '0.6.2',
    env: { BRAVE_API_KEY: KEY },
  },
  {
    package: '@modelcontextprotocol/server-google-maps',
    version: '0.6.2',
    env: { GOOGLE_MAPS_API_KEY: KEY },
  },
  {
    package: '@modelcontextprotocol/server-everart',
    version: '0.6.2',
    env: { EVERART_API_KEY: KEY },
  },
  { package: '@notionhq/notion-mcp-server', version: '2.5.2', env: { NOTION_TOKEN: KEY } },
  { package: '@playwright/mcp', version: '0.0.83' },
  { package: '@upstash/context7-mcp', version: '4.1.1' },
  { package: 'firecrawl-mcp', version: '3.26.0', env: { FIRECRAWL_API_KEY: KEY } },
  { package: 'tavily-mcp', version: '0.2.22', env: { TAVILY_API_KEY: KEY } },
  { package: 'exa-mcp-server', version: '3.4.1', env: { EXA_API_KEY: KEY } },
  { package: '@stripe/mcp', version: '0.3.3', args: ['--tools=all', `--api-key=rk_test_${KEY}`] },
  { package: '@sentry/mcp-server', version: '0.39.0', args: [`--access-token=${KEY}`] },
  { package: 'mcp-server-kubernetes', version: '4.1.7' },
  {
    package: '@supabase/mcp-server-supabase',
    version: '0.13.0',
    env: { SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}` },
  },
  { package: '@hubspot/mcp-server', version: '0.4.0', env: { PRIVATE_APP_ACCESS_TOKEN: KEY } },
  {
    package: 'figma-developer-mcp',
    version: '0.13.2',
    args: ['--stdio'],
    env: { FIGMA_API_KEY: KEY },
  },
  { package: 'chrome-devtools-mcp', version: '1.11.0' },
  { package: '@antv/mcp-server-chart', version: '0.9.10' },
  { package: 'mcp-mermaid', version: '0.4.1' },
  { package: '@brave/brave-search-mcp-server', version: '2.1.4', env: { BRAVE_API_KEY: KEY } },
  { package: 'airtable-mcp-server', version: '1.14.0', env: { AIRTABLE_API_KEY: KEY } },
  { package: '@benborla29/mcp-server-mysql', version: '2.0.9' },
  { package: 'mongodb-mcp-server', version: '3.0.4' },
  { package: '@heroku/mcp-server', version: '1.2.8', env: { HEROKU_API_KEY: KEY } },
];
