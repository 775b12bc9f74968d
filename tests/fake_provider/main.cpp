// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/script_keys.h"
#include "tests/fake_provider/server.h"

#include <CLI/CLI.hpp>

#include <boost/asio/signal_set.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

using namespace weir;
using namespace weir::fake;

struct Arguments
{
    std::string configFile;
    std::string set;
    ServerOptions server;
};

std::string keyTable()
{
    std::ostringstream text;
    text << "Keys of the script (JSON; POST /_control merges them while it runs):\n";
    for (const ScriptKey& key : scriptKeys()) {
        text << "  " << key.name;
        if (!key.fallback.empty()) text << " [" << key.fallback << "]";
        text << "\n      " << key.meaning << "\n";
    }
    return text.str();
}

Result<nlohmann::json> scriptFrom(const Arguments& arguments)
{
    nlohmann::json script = nlohmann::json::object();
    if (!arguments.configFile.empty()) {
        std::ifstream file(arguments.configFile);
        if (!file) return fail("config", arguments.configFile, "cannot be read");
        script = nlohmann::json::parse(file, nullptr, false);
        if (script.is_discarded()) return fail("config", arguments.configFile, "is not JSON");
    }
    if (!arguments.set.empty()) {
        const auto patch = nlohmann::json::parse(arguments.set, nullptr, false);
        if (patch.is_discarded()) return fail("config", "--set", "is not JSON");
        script.merge_patch(patch);
    }
    return script;
}

int complain(const Error& error)
{
    std::cerr << "weir-fake-provider: " << error.text() << "\n";
    return 2;
}

int serve(const Arguments& arguments)
{
    const auto script = scriptFrom(arguments);
    if (!script) return complain(script.error());
    auto provider = Provider::create(*script, Clock::now());
    if (!provider) return complain(provider.error());
    net::io_context context(1);
    auto server = Server::open(context, *provider, arguments.server);
    if (!server) return complain(server.error());
    net::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&context](const boost::system::error_code&, int) { context.stop(); });
    const std::string host = arguments.server.address + ":";
    if (const auto port = (*server)->controlPort())
        std::cout << "control " << host << *port << "\n";
    std::cout << "listening " << host << (*server)->port() << std::endl;
    context.run();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app(
        "A scripted stand-in for a provider: OpenAI and Anthropic protocol over HTTP/1.1.");
    Arguments arguments;
    std::uint16_t controlPort = 0;
    app.add_option("--config", arguments.configFile, "JSON file with the script");
    app.add_option("--set", arguments.set, "JSON object merged over the script");
    app.add_option("--port", arguments.server.port, "port, 0 = pick one")->capture_default_str();
    app.add_option("--address", arguments.server.address, "address to listen on")
        ->capture_default_str();
    auto* control = app.add_option(
        "--control-port", controlPort, "a second plain HTTP port that the script never closes");
    auto* cert =
        app.add_option("--tls-cert", arguments.server.tlsCertFile, "PEM chain: serve HTTPS");
    auto* key = app.add_option("--tls-key", arguments.server.tlsKeyFile, "PEM private key");
    cert->needs(key);
    key->needs(cert);
    app.footer(keyTable());
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (*control) arguments.server.controlPort = controlPort;
    return serve(arguments);
}
